package import Push

extension APNsHost {
    /// Refuses a request for that reason, whatever is in it.
    package mutating func refuse(_ request: HostRequest, _ reason: APNsReason) -> APNsAnswer {
        var answer = APNsAnswer(
            messageID: UUIDText(request.apnsID) ?? UUIDText(from: &numbers, upperCase: true)
        )
        answer.reason = reason
        return answer
    }
}
