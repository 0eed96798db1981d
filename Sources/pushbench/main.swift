import Glibc
import MockHosts

// TEMP
var command = MockCommand()
var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "mock" { arguments.removeFirst() }
while !arguments.isEmpty {
    let a = arguments.removeFirst()
    switch a {
    case "--policy": command.overrides.append("mock.policy=" + arguments.removeFirst())
    case "--service-time": command.overrides.append("mock.serviceTime=" + arguments.removeFirst())
    case "--set": command.overrides.append(arguments.removeFirst())
    case "--state": command.stateDirectory = arguments.removeFirst()
    case "--bind": command.bindAddress = arguments.removeFirst()
    case "--until-stdin-closes": command.endsWithStandardInput = true
    case "--port":
        let parts = arguments.removeFirst().split(separator: "=")
        command.ports[HostName(name: String(parts[0]))!] = UInt16(parts[1])!
    default: command.profile = a
    }
}
do { try command.run() } catch { let line = "pushbench mock: \(error)\n"; _ = line.withCString { write(2, $0, strlen($0)) }; exit(1) }
