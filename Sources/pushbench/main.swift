import Glibc

Console.occupyStandardDescriptors()
// A reader of ours that goes away shows as a failed write, not as the end of the process.
signal(SIGPIPE, SIG_IGN)
// Likewise a file that reaches the size limit of this process (setrlimit(2)).
signal(SIGXFSZ, SIG_IGN)
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
