import Testing

/// Runs of the whole driver against scripted hosts, one after another: they measure time.
@Suite("Whole runs", .serialized)
struct WholeRuns {}
