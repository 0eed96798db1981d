import Testing

@testable import HTTP2

/// Every rule of `ConformanceCase`, for every client session.
@Suite struct ConformanceTests {
    @Test(arguments: SessionKind.allCases, ConformanceCase.all)
    func theServersFrame(kind: SessionKind, item: ConformanceCase) throws {
        let bench = try ClientBench(kind, item.stage)
        bench.send(item.bytes)
        switch kind == .nghttp2 ? item.nghttp2 ?? item.answer : item.answer {
        case .connectionError(let code):
            #expect(bench.violation == code)
            let goAways = bench.frames.filter { $0.type == FrameType.goAway }
            #expect(goAways.map { Array($0.payload[4..<8]) } == [Frame.bigEndian(code.rawValue)])
        case .failure(let code):
            #expect(bench.failure == .library(call: "nghttp2_session_mem_recv", code: code))
        case .streamError(let code):
            #expect(bench.resets == [code])
            #expect(bench.events.filter { $0.kind == .closed }.map(\.code) == [code])
            #expect(bench.isAlive())
        case .closed(let code):
            #expect(bench.events.map(\.kind) == [.closed])
            #expect(bench.events.last?.code == code)
            #expect(bench.resets.isEmpty)
            #expect(bench.isAlive())
        case .ignored:
            #expect(bench.events.filter { $0.kind != .settings }.isEmpty)
            #expect(bench.resets.isEmpty)
            #expect(bench.isAlive())
        case .response(let status):
            #expect(bench.events.map(\.kind) == [.headers, .closed])
            #expect(bench.events.first?.status == status)
            #expect(bench.events.last?.code == .noError)
            #expect(bench.isAlive())
        case .body(let text):
            #expect(bench.events.first?.kind == .data)
            #expect(bench.events.first.map { String(decoding: $0.bytes, as: UTF8.self) } == text)
            #expect(bench.isAlive())
        }
    }
}
