/// The columns of the result files, as they are promised.
enum Columns {
    static let summary =
        [
            "phase", "lane", "planned", "delivered", "rejected", "failed", "skipped", "unanswered", "attempts",
            "duration_s", "planned_per_s", "sent_per_s", "answered_per_s", "peak_sent_per_s",
        ]
        + ["response", "service", "lag", "stream_wait"]
        .flatMap { clock in ["mean", "p50", "p90", "p99", "p999", "max"].map { "\(clock)_\($0)_us" } }
        + ["bytes_out_per_push", "bytes_in_per_push", "retries"]
        + ["mean", "p50", "p90", "p99", "p999", "max"].map { "quota_wait_\($0)_us" }
    static let timeline = [
        "t_s", "phase", "lane", "planned", "sent", "answered", "delivered", "rejected", "failed", "skipped",
        "in_flight", "backlog", "connections", "response_p50_us", "response_p99_us", "response_max_us",
    ]
    static let latency = ["lane", "clock", "from_us", "to_us", "count", "cumulative_share"]
    static let outcomes = ["phase", "lane", "status", "reason", "disposition", "count", "share"]
    static let connections = [
        "lane", "worker", "connection", "opened_s", "closed_s", "connect_us", "handshake_us", "streams", "peak_streams",
        "peer_limit_min", "peer_limit_max", "bytes_out", "bytes_in", "goaway_code", "goaway_reason",
        "goaway_last_stream", "resets", "closed_by", "shard", "credential",
    ]
    static let credentials = [
        "lane", "credential", "signed", "refreshed", "served_from_cache", "sign_p50_us", "sign_max_us", "oldest_used_s",
        "shard", "tokens_at_s",
    ]
}
