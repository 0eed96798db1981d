import Testing

@testable import LoadPlan

@Suite("The profiles that come with pushbench")
struct ProfilesTests {
    @Test("Each starts with a comment on its purpose, bears its file's name and reads back from its canonical text")
    func all() throws {
        #expect(try ProfilesFolder.contents() == (ProfilesFolder.names + [ProfilesFolder.schema]).sorted())
        for file in ProfilesFolder.names {
            let text = try ProfilesFolder.text(file)
            #expect(text.hasPrefix("// ") && text.hasSuffix("\n"))
            let profile = try ProfilesFolder.profile(file)
            #expect(profile.name + ".json" == file && !profile.summary.isEmpty)
            #expect(try Profile(json: profile.canonicalJSON, file: file) == profile)
        }
    }

    @Test("mixed-fleet: a million devices, 45% and 5% APNs, half FCM, 2% defects, 3 s warm-up and 15 s at 10,000/s")
    func mixedFleet() throws {
        let profile = try ProfilesFolder.profile("mixed-fleet.json")
        #expect(profile.fleet.size == 1_000_000 && profile.seed == 42 && profile.mock.policy == .faithful)
        #expect(profile.fleet.laneWeights == [9, 1, 10])
        let defects = profile.fleet.defects
        let share =
            defects.unregistered + defects.wrongEnvironment + defects.malformed + defects.wrongTopic
            + defects.otherSender
        #expect(abs(share - 0.02) < 1e-9)
        let plan = try LoadPlan(profile)
        #expect(plan.duration == 18 * Nanoseconds.second)
        #expect(plan.lanes.map { $0.planned(inPhase: 0) } == [13_500, 1_500, 15_000])
        #expect(plan.lanes.map { $0.planned(inPhase: 1) } == [67_500, 7_500, 75_000])
        #expect(plan.lanes.map(\.batchSize) == [1, 1, 500])
    }

    @Test("apns-closed and fcm-batches: closed loops, the latter of whole batches")
    func closedLoops() throws {
        let apns = try LoadPlan(ProfilesFolder.profile("apns-closed.json"))
        #expect(apns.lanes.map { $0.closedCursor(worker: 0, of: 1).window?.inFlight } == [200, 20, nil])
        #expect(apns.lanes.allSatisfy { $0.cursor(worker: 0, of: 1).nextDue == nil })
        let fcm = try LoadPlan(ProfilesFolder.profile("fcm-batches.json"))
        var cursor = fcm.lanes[2].closedCursor(worker: 0, of: 1)
        #expect(cursor.window?.inFlight == 1000)
        #expect(cursor.takeBatch(at: 0)?.count == 500)
        #expect(fcm.legs.map(\.warmUp) == [true, false])
    }

    @Test("ci-smoke: planned and drained in less than 3 s, with pushes on every lane")
    func ciSmoke() throws {
        let profile = try ProfilesFolder.profile("ci-smoke.json")
        let plan = try LoadPlan(profile)
        #expect(plan.duration + profile.load.drain <= 2 * Nanoseconds.second)
        #expect(plan.lanes.allSatisfy { ($0.planned(inPhase: 1) ?? 0) > 0 })
    }
}
