package import LoadPlan

// Faults that only change a host's rules.

extension APNsHost.Configuration {
    /// Changes the rules as a fault has it; those that are no matter of rules change nothing.
    package mutating func apply(_ fault: Fault) {
        switch fault.knob {
        case .idleTimeout: idleTimeout = fault.time()
        case .expiredTokens: expiredTokenShare = fault.share() ?? 0
        case .keySpelling: environmentKeySpelling = fault.word() == "documented" ? .documented : .live
        case .deviceLimit: deviceLimit = QuotaWindow.Limit(fault)
        default: break
        }
    }
}

extension FCMHost.Configuration {
    /// Changes the rules as a fault has it; those that are no matter of rules change nothing.
    package mutating func apply(_ fault: Fault) {
        switch fault.knob {
        case .quota:
            quota = QuotaWindow.Limit(fault)
            quotaPhase = fault.time("phase")
        case .deviceLimit: deviceLimits = DeviceLimits(short: QuotaWindow.Limit(fault))
        case .topicLimit: topicLimit = QuotaWindow.Limit(fault)
        case .errorDetails:
            style.putsFcmErrorFirst = fault.word() == "first"
            style.tellsQuotaFailure = !fault.has("no-quota-failure")
        case .noThirdPartyCredential: hasThirdPartyCredential = false
        default: break
        }
    }
}

extension QuotaWindow.Limit {
    /// So many in a minute, or in the time that the fault gives.
    fileprivate init(_ fault: Fault) {
        self.init(Int(fault.number() ?? 0), per: fault.time("per") ?? Nanoseconds.minute)
    }
}
