import Histogram
import Hosts
import LoadPlan
import Push
import Sending

/// What the senders of one lane share: the host and the count of what came of it.
final class SimulatedLane {
    let model: CampaignLane
    var host: HostModel
    var tally: LaneTally

    init(_ model: CampaignLane, host: HostModel) {
        self.model = model
        self.host = host
        tally = LaneTally(answers: host.answers.count)
    }
}

/// When a worker has time, which all its lanes share.
final class SimulatedWorker {
    var freeAt: Int64 = 0
    var busy: Int64 = 0
}

/// One worker's part of a lane in virtual time, by the decisions that the driver makes: the plan's cursors, batches, retry
/// policy, quota keepers and the lane's halt are the driver's own.
///
/// A turn happens when something is due: an answer, a retry, a push, a keeper's or the worker's time.
final class Sender {
    let lane: SimulatedLane
    private let worker: SimulatedWorker
    private let isBounded: Bool
    private let lifetime: Int64
    private let lastDue: Int64
    private let cost: Int64
    private let halfTrip: Int64
    private let devices: UInt64
    private let batchSize: Int
    private let room: Int

    private var cursor: DueCursor
    private var closed: ClosedCursor
    private var hasClosed: Bool
    private var fresh = Queue<DueBatch>()
    private var freshCount = 0
    private var returned = Queue<Waiter>()
    private var delayed: WaiterHeap
    private var flights: FlightTable
    private var batches: Batches?
    private let retries: RetryPolicy
    private var keeper: QuotaKeeper
    private var deviceQuota: DeviceQuota
    private let keepsLane: Bool
    private let keepsDevices: Bool
    private var halt: LaneHalt
    private var random: SplitMix
    private let traits: [HostModel.Traits]

    /// Streams that may be in use, which grow to `capacity` as connections prove themselves.
    private var streams: Int
    private let capacity: Int
    private let growth: Int
    /// Why the push whose turn it is waits, since when, and until when where that is known.
    private var obstacle: Limit?
    private var since: Int64 = 0
    private var wakeAt = Int64.max
    /// Pushes that wait for another try because the project's quota was spent.
    private var refusedWaiting = 0

    init?(
        _ lane: SimulatedLane,
        worker number: Int,
        _ worker: SimulatedWorker,
        campaign: Campaign,
        seed: UInt64
    ) {
        let model = lane.model
        let section = model.section
        let backlog = model.plan.backlogCapacity(lasting: campaign.profile.load.backlog)
        guard let share = model.share(of: number, of: campaign.workers, backlog: backlog) else { return nil }
        self.lane = lane
        self.worker = worker
        isBounded = campaign.isBounded
        lifetime = campaign.lifetime
        lastDue = campaign.plan.duration
        cost = campaign.settings.cpuPerPush ?? 0
        halfTrip = model.roundTrip / 2
        devices = model.devices
        cursor = DueCursor(model.plan.cursor(worker: share.worker, of: share.workers))
        closed = model.plan.closedCursor(worker: share.worker, of: share.workers)
        hasClosed = closed.window != nil
        let most = max(share.backlog, section.batch?.size ?? 1)
        room = campaign.isBounded ? most : .max
        delayed = WaiterHeap(capacity: campaign.isBounded ? most : Self.mostDelayed)
        capacity = share.connections * model.streams
        streams = share.connections * model.firstStreams
        growth = model.streams - model.firstStreams
        flights = FlightTable(capacity: capacity)
        let size = section.batch?.size ?? 1
        batchSize = size
        batches = share.batchesInFlight.map { Batches(size: size, inFlight: $0) }
        retries = RetryPolicy(section.retry, provider: model.provider)
        keeper = QuotaKeeper(section.quota, workers: share.workers)
        deviceQuota = DeviceQuota(section.quota)
        keepsLane = keeper.isActive
        keepsDevices = deviceQuota.isActive
        traits = lane.host.traits
        halt = LaneHalt(mostBadTokens: section.mostBadTokens)
        random = SplitMix(seed: seed)
    }

    /// Retries of a campaign that wait at one time at most, so that memory is bounded: a sender with so many begins no new
    /// push.
    static let mostDelayed = 1 << 18

    private var waiting: Int { freshCount + returned.count + delayed.count }

    /// When the next turn is due; `Int64.max` for never.
    var nextTime: Int64 {
        var time = min(flights.nextTime, delayed.nextTime, wakeAt)
        if obstacle == nil, !halt.isHalted {
            time = min(time, cursor.nextDue)
            if hasClosed, let window = closed.window {
                time = min(time, isFull(window) ? window.end : max(window.start, since))
            }
        }
        return time
    }

    private func isFull(_ window: ClosedCursor.Window) -> Bool {
        flights.count + waiting + batchSize > window.inFlight || !closed.hasNext
    }

    /// Does what is due by now.
    func turn(at now: Int64) {
        charge(until: now)
        while flights.nextTime <= now { end(flights.takeFirst(), at: now) }
        while let waiter = delayed.takeDue(at: now) { returned.append(waiter) }
        takeDue(at: now)
        start(at: now)
        since = now
    }

    /// The run is over: what waits is skipped, and what is in flight stays unanswered.
    func stop(at now: Int64) {
        takeDue(at: halt.isHalted ? lastDue : min(now, lastDue))
        lane.tally.skipped += UInt64(freshCount)
        lane.tally.unanswered += UInt64(flights.count)
        // What was tried keeps its last answer, which the lane's count has under `rejected`.
        giveUpRetries()
    }

    private func giveUpRetries() {
        while let waiter = returned.first {
            returned.removeFirst()
            giveUp(waiter)
        }
        while let waiter = delayed.takeDue(at: .max) { giveUp(waiter) }
    }

    private func giveUp(_ waiter: Waiter) {
        if waiter.attempts == 0 {
            lane.tally.skipped += 1
        } else {
            lane.tally.rejected[Int(HostModel.projectQuota)] += 1
        }
    }

    /// Adds the time since the last turn to what held pushes up.
    private func charge(until now: Int64) {
        let limit: Limit? = obstacle ?? (refusedWaiting > 0 && delayed.count > 0 && flights.count == 0 ? .quota : nil)
        if let limit { lane.tally.blocked[limit.index] += now - since }
    }

    // MARK: What falls due

    private func takeDue(at now: Int64) {
        let due = min(now, lastDue)
        while cursor.nextDue <= due {
            // A campaign's pushes wait in the plan itself until their turn has come.
            if !isBounded, fresh.count > 0 { return }
            append(cursor.take())
        }
        guard hasClosed else { return }
        while let window = closed.window, window.end <= now { closed.leaveWindow() }
        hasClosed = closed.window != nil
        guard let window = closed.window, window.start <= now, !halt.isHalted else { return }
        while flights.count + waiting + batchSize <= window.inFlight, let batch = closed.takeBatch(at: now) {
            append(DueBatch(batch))
        }
    }

    private func append(_ batch: DueBatch) {
        guard !halt.isHalted, room - freshCount >= Int(batch.count) else {
            lane.tally.skipped += UInt64(batch.count)
            return
        }
        fresh.append(batch)
        freshCount += Int(batch.count)
    }

    // MARK: What is sent

    private func start(at now: Int64) {
        (obstacle, wakeAt) = (nil, .max)
        while true {
            if returned.count == 0, fresh.count == 0 {
                guard !isBounded, cursor.nextDue <= min(now, lastDue), !halt.isHalted else { return }
                append(cursor.take())
                guard fresh.count > 0 else { continue }
            }
            guard flights.count < streams else { return block(.streams, until: .max) }
            guard mayBegin else { return block(.batches, until: .max) }
            guard hasRoomForRetries else { return block(.quota, until: .max) }
            guard worker.freeAt <= now else { return block(.cpu, until: worker.freeAt) }
            guard let (waiter, isFirst) = next(at: now) else {
                if obstacle != nil { return }
                continue
            }
            write(waiter, isFirst: isFirst, at: now)
        }
    }

    /// False for a new push of a campaign while as many wait for another try, or may yet, as can be kept.
    private var hasRoomForRetries: Bool {
        isBounded || returned.count > 0 || delayed.count + flights.count < Self.mostDelayed
    }

    private func block(_ limit: Limit, until time: Int64) {
        obstacle = limit
        wakeAt = time
    }

    /// False for the first push of a batch while no further batch may be in flight.
    private var mayBegin: Bool {
        guard returned.count == 0, let batches, let batch = fresh.first, batch.begun == 0, batch.slot < 0 else {
            return true
        }
        return batches.hasRoom
    }

    /// Takes the push whose turn it is, if the quotas let it through; nil where one has to wait.
    private func next(at now: Int64) -> (Waiter, isFirst: Bool)? {
        let isReturned = returned.count > 0
        var waiter = returned.first ?? freshWaiter()
        if keepsDevices, !waiter.hasDeviceGrant {
            let device = waiter.push % devices
            let isCollapsible = lane.host.isCollapsible(waiter.push)
            let time = deviceQuota.take(device: device, isCollapsible: isCollapsible, at: now)
            if time > now {
                waiter.at = time
                removeFirst(isReturned, at: now, &waiter)
                postpone(waiter, isCollapsible ? .collapsible : .perDevice, at: now)
                return nil
            }
            waiter.hasDeviceGrant = true
            noteGrant(isReturned, waiter)
        }
        if keepsLane {
            let time = keeper.take(at: now)
            if time > now {
                block(.quota, until: time)
                return nil
            }
        }
        removeFirst(isReturned, at: now, &waiter)
        return (waiter, isFirst: waiter.attempts == 0)
    }

    private func freshWaiter() -> Waiter {
        guard let batch = fresh.first else { preconditionFailure("the turn of a push that is not there") }
        return Waiter(
            at: 0,
            push: batch.firstPush + UInt64(batch.begun),
            due: batch.due,
            batch: batch.slot,
            position: batch.begun,
            attempts: 0,
            hasDeviceGrant: batch.hasDeviceGrant
        )
    }

    private func noteGrant(_ isReturned: Bool, _ waiter: Waiter) {
        if isReturned {
            returned.replaceFirst(with: waiter)
        } else if var batch = fresh.first {
            batch.hasDeviceGrant = true
            fresh.replaceFirst(with: batch)
        }
    }

    private func removeFirst(_ isReturned: Bool, at now: Int64, _ waiter: inout Waiter) {
        if isReturned {
            returned.removeFirst()
            return
        }
        guard var batch = fresh.first else { return }
        if batches != nil, batch.slot < 0 {
            batch.slot = Int32(batches?.start(due: batch.due, count: Int(batch.count)) ?? -1)
        }
        waiter.batch = batch.slot
        batch.begun += 1
        batch.hasDeviceGrant = false
        freshCount -= 1
        if batch.begun == batch.count { fresh.removeFirst() } else { fresh.replaceFirst(with: batch) }
    }

    /// A push waits for its device's quota by itself, while others overtake it.
    private func postpone(_ waiter: Waiter, _ limit: Limit, at now: Int64) {
        lane.tally.blocked[limit.index] += waiter.at - now
        if waiter.at < lifetime, delayed.insert(waiter) { return }
        giveUp(waiter)
        endInBatch(waiter.batch, Int(waiter.position), at: now)
    }

    private func write(_ waiter: Waiter, isFirst: Bool, at now: Int64) {
        let written = now + cost
        worker.freeAt = written
        worker.busy += cost
        let reply = lane.host.reply(push: waiter.push, device: waiter.push % devices, at: written + halfTrip)
        let flight = Flight(
            push: waiter.push,
            due: waiter.due,
            written: written,
            retryAfter: reply.retryAfter ?? -1,
            batch: waiter.batch,
            position: waiter.position,
            attempts: waiter.attempts + 1,
            answer: reply.answer
        )
        flights.insert(flight, until: written + 2 * halfTrip + reply.serviceTime)
        if waiter.attempts > 0, refusedWaiting > 0 { refusedWaiting -= 1 }
        lane.tally.wrote(isFirst ? max(0, written - waiter.due) : nil, reply, at: written)
    }

    // MARK: What is answered

    private func end(_ flight: Flight, at now: Int64) {
        // The first answer of a connection raises its limit.
        if streams < capacity { streams = min(capacity, streams + growth) }
        let answer = traits[Int(flight.answer)]
        if keepsLane {
            keeper.answered(
                writtenAt: flight.written,
                isRefused: answer.isLaneQuota,
                retryAfter: flight.retryAfter < 0 ? nil : flight.retryAfter,
                at: now
            )
        }
        lane.tally.ended(flight, at: now)
        if answer.isRetryable, isTriedAgain(flight, answer.status, at: now) { return }
        lane.tally.counted(flight, response: now - flight.due, at: now)
        endInBatch(flight.batch, Int(flight.position), at: now)
        if halt.answered(answer.disposition) { skipWaiting() }
    }

    private func isTriedAgain(_ flight: Flight, _ status: Int, at now: Int64) -> Bool {
        guard retries.isActive, !halt.isHalted,
            let time = retries.retry(
                after: .answered(status: status, retryAfter: flight.retryAfter < 0 ? nil : flight.retryAfter),
                attempts: Int(flight.attempts),
                due: flight.due,
                at: now,
                end: lifetime,
                jitter: random.next()
            )
        else { return false }
        let waiter = Waiter(
            at: time,
            push: flight.push,
            due: flight.due,
            batch: flight.batch,
            position: flight.position,
            attempts: flight.attempts,
            hasDeviceGrant: false
        )
        guard delayed.insert(waiter) else { return false }
        lane.tally.retried += 1
        if flight.answer == HostModel.projectQuota { refusedWaiting += 1 }
        return true
    }

    private func endInBatch(_ batch: Int32, _ position: Int, at now: Int64) {
        guard batch >= 0 else { return }
        _ = batches?.ended(slot: Int(batch), position: position, result: 0, at: now)
    }

    /// The lane is halted: nothing more is sent.
    private func skipWaiting() {
        lane.tally.skipped += UInt64(freshCount)
        freshCount = 0
        fresh = Queue()
        giveUpRetries()
    }
}
