import Testing

@testable import Hosts

/// How the audit tells the senders of a fleet apart.
@Suite struct SenderBookTests {
    private typealias Sender = SenderBook.Sender

    /// Shows credentials over connections, in order, and tells what the book makes of it.
    private func senders(
        _ shown: [(connection: Int, credential: UInt64)],
        mostCredentials: Int = 4096
    ) -> [Sender] {
        var book = SenderBook(mostCredentials: mostCredentials)
        var connections = [Int32](repeating: SenderBook.none, count: (shown.map(\.connection).max() ?? 0) + 1)
        for each in shown { book.showed(each.credential, by: &connections[each.connection]) }
        for (number, sender) in connections.enumerated() { book.ended(sender, requests: UInt64(number + 1)) }
        return book.all(with: [])
    }

    @Test func connectionsWithOneCredentialAreOneSenders() {
        let found = senders([(0, 7), (1, 7), (2, 7)])
        #expect(found == [Sender(connections: 3, credentials: 1, requests: 6)])
    }

    @Test func differentCredentialsAreDifferentSenders() {
        let found = senders([(0, 7), (1, 8), (2, 7), (3, 8)])
        // The busiest first: connections 1 and 3 carried 2 + 4 requests, 0 and 2 carried 1 + 3.
        #expect(
            found == [
                Sender(connections: 2, credentials: 1, requests: 6),
                Sender(connections: 2, credentials: 1, requests: 4),
            ]
        )
    }

    @Test func aSenderThatRenewsItsCredentialStaysOne() {
        let found = senders([(0, 7), (1, 7), (0, 70), (1, 70), (2, 70)])
        #expect(found == [Sender(connections: 3, credentials: 2, requests: 6)])
    }

    /// Two that looked like two turn out to be one, whichever way the link comes.
    @Test func twoCanTurnOutToBeOne() {
        let found = senders([(0, 7), (1, 8), (2, 9), (1, 7)])
        #expect(
            found == [
                Sender(connections: 2, credentials: 2, requests: 3),
                Sender(connections: 1, credentials: 1, requests: 3),
            ]
        )
    }

    @Test func aCredentialForEachPushIsOneSenderStill() {
        let found = senders((0..<100).map { (0, UInt64($0)) })
        #expect(found == [Sender(connections: 1, credentials: 100, requests: 1)])
    }

    @Test func whatThereIsNoRoomForIsOneSender() {
        let found = senders((0..<10).map { ($0, UInt64($0 + 1)) }, mostCredentials: 4)
        #expect(found.count == 5)
        #expect(found[0] == Sender(connections: 6, credentials: 6, requests: 5 + 6 + 7 + 8 + 9 + 10))
    }

    @Test func aConnectionWithoutACredentialIsNobodys() {
        let book = SenderBook()
        #expect(book.all(with: [AuditConnection()]) == [])
    }

    @Test func openConnectionsCountToo() {
        var audit = Audit(hosts: 1)
        var connections = [1, 1, 2].map { audit.opened(0, from: $0, at: 0) }
        for index in connections.indices {
            for _ in 0...index { audit.requested(0, &connections[index], open: 1, limit: 1, isAbove: false) }
            // One token, from two addresses.
            audit.sawToken(0, AuditedToken(identity: 5, issuedAt: 0), &connections[index], at: 1)
        }
        audit.closed(0, connections[0], byClient: true, bytesIn: 1, bytesOut: 1, at: 1)
        var remainder = Audit.Remainder()
        remainder.open = Array(connections[1...])
        let report = audit.report(names: ["apns-production"], [remainder])
        #expect(report.hosts[0].senders == 2)
        #expect(
            report.hosts[0].busiest == [
                .init(connections: 2, credentials: 1, requests: 3), .init(connections: 1, credentials: 1, requests: 3),
            ]
        )
        #expect(report.text.contains("senders: 2, with 2, 1 connections"))
    }

    @Test func certificatesAndAccessTokensAreCredentials() {
        var audit = Audit(hosts: 1)
        var first = audit.opened(0, at: 0)
        var second = audit.opened(0, at: 0)
        for _ in 0..<3 { audit.showed(0, 77, &first) }
        audit.showed(0, 78, &second)
        var remainder = Audit.Remainder()
        remainder.open = [first, second]
        let report = audit.report(names: ["fcm"], [remainder])
        #expect(report.hosts[0].senders == 2 && report.hosts[0].busiest.map(\.credentials) == [1, 1])
    }
}
