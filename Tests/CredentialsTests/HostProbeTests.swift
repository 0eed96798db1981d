import Testing

@testable import Credentials

@Suite struct HostProbeTests {
    /// Header lines as libcurl hands them over, with the body behind them.
    @Test(
        arguments: [
            ("HTTP/2 404 \r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n", 784_111_777),
            (
                "HTTP/1.1 200 OK\r\nServer: x\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nx-date: no\r\n\r\nbody",
                784_111_777
            ),
            ("HTTP/2 200 \r\n\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n", nil),
            ("HTTP/2 200 \r\nlast-date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n", nil),
            ("HTTP/2 200 \r\ndate: yesterday\r\n\r\n", nil),
            ("", nil),
        ] as [(String, Int64?)]
    )
    func findsTheDate(text: String, date: Int64?) {
        #expect(HostProbe.date(in: Array(text.utf8)) == date)
    }
}
