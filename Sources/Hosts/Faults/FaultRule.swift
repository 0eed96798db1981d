import LoadPlan

/// One fault's scope, made ready to be asked for each request or connection.
struct FaultRule: Sendable {
    private let scope: FaultScope
    /// Of 2^64 equally likely numbers, those below this are struck; all if the share is 1.
    private let threshold: UInt64
    private let isAlways: Bool
    private let salt: UInt64

    /// - Parameter salt: tells the choices of one fault from those of another.
    init(_ scope: FaultScope, salt: UInt64) {
        self.scope = scope
        isAlways = scope.share >= 1
        threshold = isAlways ? .max : UInt64(scope.share * 0x1p64)
        self.salt = scramble(salt)
    }

    /// Whether the fault strikes the request or connection of that number, the first being 0.
    ///
    /// The same in every run with the same seed, whatever else happens.
    ///
    /// - Parameter elapsed: nanoseconds since the mock's start.
    func strikes(number: UInt64, at elapsed: Int64) -> Bool {
        number >= scope.after && (number - scope.after) % scope.every == 0 && isDue(at: elapsed)
            && isChosen(number)
    }

    /// Whether the fault strikes the connection of that number at all; `after` counts its requests later on.
    func strikes(connection number: UInt64) -> Bool { number % scope.every == 0 && isChosen(number) }

    /// Whether a connection has had as many requests as must come before the fault, and the time is right.
    func isDue(requests: UInt64, at elapsed: Int64) -> Bool { requests >= scope.after && isDue(at: elapsed) }

    /// Whether the request of that number, the first being 1, is one of the last `count` before the fault.
    func isAmongLast(_ count: Int32, _ number: UInt64) -> Bool {
        number <= scope.after && number + UInt64(count) > scope.after
    }

    func isDue(at elapsed: Int64) -> Bool { elapsed >= scope.from && elapsed < scope.until }

    private func isChosen(_ number: UInt64) -> Bool { isAlways || scramble(number &+ salt) < threshold }
}
