import Foundation

/// A terminal without a screen: what a program writes to it can be read, and keys can be pressed.
final class Terminal: Sendable {
    /// What the program opens as its terminal.
    let path: String
    /// The user's side.
    let screen: FileHandle

    init() throws {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ProgramFailure("no terminal: \(String(cString: strerror(errno)))") }
        screen = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var isLocked: Int32 = 0
        var number: Int32 = 0
        guard ioctl(descriptor, Self.setLock, &isLocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0 else {
            throw ProgramFailure("no terminal: \(String(cString: strerror(errno)))")
        }
        path = "/dev/pts/\(number)"
    }

    // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), macros that Swift can't import.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Presses Ctrl-C: the terminal sends SIGINT to the program in the foreground.
    func pressControlC() throws { try screen.write(contentsOf: Data([3])) }
}
