package import LoadPlan

extension ProfileText {
    /// The profile as it was run, every field of it.
    package init(_ profile: Profile) {
        do {
            try self.init(json: profile.canonicalJSON)
        } catch {
            preconditionFailure("a profile's own JSON is no JSON object: \(error)")
        }
    }
}
