import Histogram
import Sending

/// What a push cost the generator: CPU over the whole run, allocations over its steady part.
struct DriverCost {
    let workers: Int
    /// CPU microseconds of the whole process for each push sent.
    let cpuPerPush: FixedDecimal
    /// Nil when allocations were not counted; those inside nghttp2 and OpenSSL are counted apart.
    let allocationsPerPush: FixedDecimal?
    let allocationsInHTTP2PerPush: FixedDecimal?
    let allocationsInTLSPerPush: FixedDecimal?
    let peakMemory: UInt64

    /// Nil when no push was sent.
    init?(_ record: RunRecord) {
        let used = record.generator
        let sent = record.lanes.flatMap(\.phases).reduce(0) { $0 + $1.streamWait.values.count }
        guard let cpu = FixedDecimal(Int128(used.cpu), over: Int128(sent) * 1_000, digits: 3) else { return nil }
        cpuPerPush = cpu
        workers = used.workers
        let others = used.allocations - min(used.allocations, used.allocationsInHTTP2 + used.allocationsInTLS)
        let pushes = Int128(used.allocationsPushes)
        allocationsPerPush = FixedDecimal(Int128(others), over: pushes, digits: 2)
        allocationsInHTTP2PerPush = FixedDecimal(Int128(used.allocationsInHTTP2), over: pushes, digits: 2)
        allocationsInTLSPerPush = FixedDecimal(Int128(used.allocationsInTLS), over: pushes, digits: 2)
        peakMemory = used.peakMemory
    }

    /// One line for people.
    var sentence: String {
        var parts = ["\(workers) \(workers == 1 ? "worker" : "workers")", "\(cpuPerPush) µs CPU per push"]
        if let ours = allocationsPerPush, let http2 = allocationsInHTTP2PerPush, let tls = allocationsInTLSPerPush {
            parts.append("\(ours) allocations per push, \(http2) more inside nghttp2, \(tls) inside OpenSSL")
        }
        if peakMemory > 0 { parts.append("peak memory \((peakMemory + 524_288) / 1_048_576) MiB") }
        return "driver: " + parts.joined(separator: " · ")
    }
}
