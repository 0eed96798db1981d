internal import CNGHTTP2

extension UnsafePointer<nghttp2_frame> {
    /// The frame's header, read without copying the rest of the union.
    @inline(__always)
    var header: nghttp2_frame_hd { UnsafeRawPointer(self).load(as: nghttp2_frame_hd.self) }
}

extension nghttp2_settings_entry {
    init(_ setting: nghttp2_settings_id, _ value: UInt32) {
        self.init(settings_id: Int32(setting.rawValue), value: value)
    }
}

extension UnsafeRawBufferPointer {
    /// Copies as many bytes as there is room for, and keeps the rest.
    ///
    /// - Returns: How many were copied.
    mutating func move(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let moved = Swift.min(count, buffer.count - offset)
        if moved == 0 { return 0 }
        UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + moved])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: self[..<moved]))
        self = UnsafeRawBufferPointer(rebasing: self[moved...])
        return moved
    }

    /// The big-endian number in the four bytes at `offset`.
    @inline(__always)
    func bigEndian(at offset: Int) -> Int32 {
        Int32(bigEndian: loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }
}

extension HTTP2Error {
    /// nghttp2's text for one of its return codes.
    static func text(of code: Int32) -> String {
        String(cString: nghttp2_strerror(code))
    }
}
