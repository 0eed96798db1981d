@testable import HTTP2

// SETTINGS, PING, GOAWAY and WINDOW_UPDATE.
extension ConformanceCase {
    static let settings: [ConformanceCase] = [
        .init("9113 6.5", "SETTINGS on a stream", .open, Frame.make(4, stream: 1), .connectionError(.protocolError)),
        .init(
            "9113 6.5",
            "SETTINGS of 5 bytes",
            .open,
            Frame.make(4, [0, 1, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.5",
            "acknowledgement with a payload",
            .open,
            Frame.make(4, flags: 1, [0, 1, 0, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.5.3",
            "acknowledgement of nothing",
            .open,
            Frame.settingsAcknowledgement,
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "unknown setting", .open, Frame.settings([(0xff00, 7)]), .ignored),
        .init(
            "9113 6.5.2",
            "SETTINGS_ENABLE_PUSH 2",
            .open,
            Frame.settings([(2, 2)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_ENABLE_PUSH 1 from a server",
            .open,
            Frame.settings([(2, 1)]),
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "SETTINGS_ENABLE_PUSH 0", .open, Frame.settings([(2, 0)]), .ignored),
        .init(
            "9113 6.5.2",
            "SETTINGS_INITIAL_WINDOW_SIZE 2^31",
            .open,
            Frame.settings([(4, 1 << 31)]),
            .connectionError(.flowControlError)
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_INITIAL_WINDOW_SIZE 2^31-1",
            .open,
            Frame.settings([(4, UInt32(Int32.max))]),
            .ignored
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_MAX_FRAME_SIZE 16383",
            .open,
            Frame.settings([(5, 16383)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_MAX_FRAME_SIZE 2^24",
            .open,
            Frame.settings([(5, 1 << 24)]),
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "SETTINGS_MAX_FRAME_SIZE 2^24-1", .open, Frame.settings([(5, 1 << 24 - 1)]), .ignored),
        .init(
            "8441 3",
            "SETTINGS_ENABLE_CONNECT_PROTOCOL 2",
            .open,
            Frame.settings([(8, 2)]),
            .connectionError(.protocolError)
        ),
        .init(
            "8441 3",
            "SETTINGS_ENABLE_CONNECT_PROTOCOL taken back",
            .open,
            Frame.settings([(8, 1)]) + Frame.settings([(8, 0)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9218 2.1",
            "SETTINGS_NO_RFC7540_PRIORITIES 2",
            .open,
            Frame.settings([(9, 2)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9218 2.1",
            "SETTINGS_NO_RFC7540_PRIORITIES changed",
            .open,
            Frame.settings([(9, 1)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 10.5",
            "SETTINGS with too many entries",
            .open,
            Frame.settings(Array(repeating: (3, 5), count: 33)),
            .connectionError(.enhanceYourCalm)
        ),
    ]

    static let connection: [ConformanceCase] = [
        .init(
            "9113 6.7",
            "PING on a stream",
            .open,
            Frame.make(6, stream: 1, Array(1...8)),
            .connectionError(.protocolError)
        ),
        .init("9113 6.7", "PING of 7 bytes", .open, Frame.make(6, Array(1...7)), .connectionError(.frameSizeError)),
        .init("9113 6.7", "an answer to no PING", .open, Frame.ping(acknowledgement: true), .ignored),
        .init(
            "9113 6.8",
            "GOAWAY on a stream",
            .open,
            Frame.make(7, stream: 1, Frame.bigEndian(1) + Frame.bigEndian(0)),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.8",
            "GOAWAY of 7 bytes",
            .open,
            Frame.make(7, [0, 0, 0, 1, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.8",
            "GOAWAY with a last stream of the server's",
            .open,
            Frame.goAway(last: 2, code: 0),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.8",
            "a second GOAWAY with a higher last stream",
            .open,
            Frame.goAway(last: 1, code: 0) + Frame.goAway(last: 3, code: 0),
            .connectionError(.protocolError)
        ),
    ]

    static let windows: [ConformanceCase] = [
        .init(
            "9113 6.9",
            "WINDOW_UPDATE by 0 on a stream",
            .open,
            Frame.windowUpdate(1, 0),
            .streamError(.protocolError),
            nghttp2: .connectionError(.protocolError)
        ),
        .init(
            "9113 6.9",
            "WINDOW_UPDATE by 0 on the connection",
            .open,
            Frame.windowUpdate(0, 0),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.9",
            "WINDOW_UPDATE of 3 bytes",
            .open,
            Frame.make(8, stream: 1, [0, 0, 1]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.9.1",
            "a stream's window above 2^31-1",
            .open,
            Frame.windowUpdate(1, UInt32(Int32.max)),
            .streamError(.flowControlError)
        ),
        .init(
            "9113 6.9.1",
            "the connection's window above 2^31-1",
            .open,
            Frame.windowUpdate(0, UInt32(Int32.max)),
            .connectionError(.flowControlError)
        ),
        .init(
            "9113 6.9.2",
            "an initial window that lifts a stream's above 2^31-1",
            .open,
            Frame.windowUpdate(1, 1) + Frame.settings([(4, UInt32(Int32.max))]),
            .connectionError(.flowControlError),
            nghttp2: .streamError(.flowControlError)
        ),
    ]
}
