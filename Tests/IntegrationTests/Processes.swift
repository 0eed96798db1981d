import Testing

/// Tests over real processes and sockets, one after another: several runs at once would only take each other's time.
@Suite("Processes", .serialized) enum Processes {}
