import Glibc
package import LoadPlan
package import Push

/// The real hosts in the form in which mock hosts announce themselves, so that a run against either is the same code.
package enum RealHosts {
    /// - Parameter profile: one that ``Profile/checkForRealHosts(using:)`` has let through.
    package static func announcement(for profile: Profile) -> HostAnnouncement {
        let apns = LaneName.all.filter(LaneName.isAPNs).lazy.compactMap { profile.lane($0).credential }.first
        let fcm = profile.lane(LaneName.fcm).credential
        return HostAnnouncement(
            pushbench: HostAnnouncement.real,
            pid: 0,
            // As OpenSSL's own programs have it: the variable stands for other roots than the system's.
            ca: getenv("SSL_CERT_FILE").map { String(cString: $0) } ?? "",
            hosts: Profile.realHosts,
            apns: HostAnnouncement.APNs(
                key: apns?.key ?? "",
                keyId: apns?.keyId ?? "",
                teamId: apns?.teamId ?? "",
                topics: [],
                certificate: ""
            ),
            fcm: HostAnnouncement.FCM(serviceAccount: fcm?.serviceAccount ?? "", projectId: fcm?.projectId ?? "")
        )
    }
}
