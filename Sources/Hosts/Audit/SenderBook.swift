/// Tells the senders of one host apart, so that several drivers against one mock show up as the fleet they are.
///
/// A sender is known by what it shows: connections from one address that bring the same credential (a provider token,
/// an access token, a certificate) are one sender's, and so are credentials that come one after another over one
/// connection. Drivers that share an address and a credential can't be told apart, nor can a sender be known again that
/// changes its credential and all of its connections at once.
///
/// Memory is bounded: beyond `mostCredentials`, connections with a credential that is new count as one more sender's,
/// all together.
struct SenderBook: ~Copyable {
    /// What is known of one sender; those that turned out to be another's are added to it.
    struct Sender: Equatable {
        var connections: UInt64 = 0
        var credentials: UInt64 = 0
        var requests: UInt64 = 0

        static func += (all: inout Sender, more: Sender) {
            all.connections &+= more.connections
            all.credentials &+= more.credentials
            all.requests &+= more.requests
        }
    }

    /// A connection that has shown no credential yet.
    static let none: Int32 = -1

    private let mostCredentials: Int
    private var byCredential: [UInt64: Int32] = [:]
    private var senders: [Sender] = []
    /// For each sender the one that it turned out to be, or itself.
    private var roots: [Int32] = []
    /// The sender of all for whom there was no room.
    private var others = none

    init(mostCredentials: Int = 4096) {
        self.mostCredentials = mostCredentials
    }

    /// A credential came over a connection that had not shown it before.
    ///
    /// - Parameter sender: whose the connection is so far, and then.
    mutating func showed(_ credential: UInt64, by sender: inout Int32) {
        let before = sender
        if let known = byCredential[credential] {
            sender = join(known, before)
        } else {
            if sender == Self.none { sender = newSender() }
            if byCredential.count < mostCredentials { byCredential[credential] = sender }
            senders[Int(root(of: sender))].credentials &+= 1
        }
        if before == Self.none { senders[Int(root(of: sender))].connections &+= 1 }
    }

    /// A sender's connection is over, after so many requests.
    mutating func ended(_ sender: Int32, requests: UInt64) {
        if sender != Self.none { senders[Int(sender)].requests &+= requests }
    }

    /// All senders, the busiest first.
    ///
    /// - Parameter open: connections that are still there.
    func all(with open: some Sequence<AuditConnection>) -> [Sender] {
        var sums = senders
        for connection in open where connection.sender != Self.none {
            sums[Int(connection.sender)].requests &+= connection.requests
        }
        for index in sums.indices where root(of: Int32(index)) != Int32(index) {
            sums[Int(root(of: Int32(index)))] += sums[index]
        }
        return sums.indices.filter { root(of: Int32($0)) == Int32($0) }.map { sums[$0] }
            .sorted { ($0.requests, $0.connections) > ($1.requests, $1.connections) }
    }

    private mutating func newSender() -> Int32 {
        if byCredential.count >= mostCredentials, others != Self.none { return others }
        senders.append(Sender())
        roots.append(Int32(senders.count - 1))
        if byCredential.count >= mostCredentials { others = roots[senders.count - 1] }
        return Int32(senders.count - 1)
    }

    /// Makes two senders one, if the second is one at all.
    private mutating func join(_ first: Int32, _ second: Int32) -> Int32 {
        let kept = root(of: first)
        if second != Self.none { roots[Int(root(of: second))] = kept }
        return kept
    }

    private func root(of sender: Int32) -> Int32 {
        var root = sender
        while roots[Int(root)] != root { root = roots[Int(root)] }
        return root
    }
}
