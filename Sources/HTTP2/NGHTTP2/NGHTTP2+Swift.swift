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

extension HTTP2Error {
    /// nghttp2's text for one of its return codes.
    static func text(of code: Int32) -> String {
        String(cString: nghttp2_strerror(code))
    }
}
