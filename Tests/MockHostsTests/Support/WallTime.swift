import Transport

enum WallTime {
    /// Seconds since 1970.
    static func seconds() -> Int64 { WallClock.now() / 1_000_000_000 }
}
