// swift-tools-version: 6.1
import PackageDescription

// One list of settings for every Swift target. Warnings become errors in `scripts/test`, not here, so that a
// newer compiler's new warning never stops a user's build.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Exclusive access to stored properties is checked while running in debug builds, which all tests use; in release
    // builds the checks would cost a tenth of a push.
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// A room of the house: a Swift module that may import only the rooms named here.
func room(_ name: String, imports: [Target.Dependency] = []) -> Target {
    // The standard library's square roots and roundings call libm in debug builds, without linking it.
    .target(name: name, dependencies: imports, swiftSettings: settings, linkerSettings: [.linkedLibrary("m")])
}

func tests(of name: String, imports: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: [.target(name: name), "TestSupport"] + imports,
        resources: resources,
        swiftSettings: settings
    )
}

let pure: [Target.Dependency] = ["Histogram", "Fleet", "LoadPlan", "Push", "Sending"]

let package = Package(
    name: "pushbench",
    products: [
        .executable(name: "pushbench", targets: ["pushbench"]),
        .executable(name: "microbench", targets: ["microbench"]),
    ],
    targets: [
        // C libraries, one module each.
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CLinux"),

        // Pure rooms: no socket, no clock, no thread.
        room("Histogram", imports: ["CZlib"]),
        room("Fleet"),
        room("LoadPlan"),
        room("Push", imports: ["Fleet"]),
        room("Sending", imports: ["Histogram", "Fleet", "LoadPlan", "Push"]),
        room("Hosts", imports: ["Histogram", "Fleet", "LoadPlan", "Push"]),

        // Rooms with effects.
        room("Credentials", imports: ["COpenSSL", "CCurl"] + pure),
        room("HTTP2", imports: ["CNGHTTP2"]),
        room("Transport", imports: ["CLinux", "COpenSSL"]),
        room("Resources", imports: ["CJemalloc"]),
        room("Driver", imports: pure + ["Credentials", "HTTP2", "Transport", "Resources"]),
        room(
            "MockHosts",
            imports: [
                "Histogram", "Fleet", "LoadPlan", "Push", "Hosts", "Credentials", "HTTP2", "Transport", "Resources",
            ]
        ),
        room("Planner", imports: pure + ["Hosts"]),
        room("Report", imports: pure + ["Planner"]),

        // Executables: options and wiring only.
        .executableTarget(
            name: "pushbench",
            dependencies: pure + [
                "Hosts", "Credentials", "HTTP2", "Transport", "Resources", "Driver", "MockHosts", "Planner", "Report",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "microbench",
            dependencies: pure + ["Hosts", "Credentials", "HTTP2", "Resources"],
            swiftSettings: settings
        ),

        // Tests, mirrored by folder.
        .target(name: "TestSupport", dependencies: ["CLinux"], path: "Tests/TestSupport", swiftSettings: settings),
        tests(of: "Histogram"),
        tests(of: "Fleet"),
        tests(of: "LoadPlan"),
        tests(of: "Push", imports: ["Fleet"]),
        tests(of: "Sending", imports: ["Histogram", "Fleet", "LoadPlan", "Push"]),
        tests(of: "Hosts", imports: ["Fleet", "LoadPlan", "Push"]),
        tests(of: "Credentials", imports: ["Sending"]),
        tests(of: "HTTP2", imports: ["CNGHTTP2"]),
        tests(of: "Transport"),
        tests(of: "Resources"),
        tests(
            of: "MockHosts",
            imports: ["CNGHTTP2", "Hosts", "HTTP2", "Credentials", "Push", "Fleet", "LoadPlan", "Transport"]
        ),
        tests(
            of: "Driver",
            imports: pure + ["HTTP2", "Transport", "Credentials", "MockHosts", "Hosts", "Report"]
        ),
        tests(of: "Planner", imports: pure + ["Hosts"]),
        tests(of: "Report", imports: pure + ["Planner"]),
        tests(of: "pushbench", imports: pure + ["Report", "Hosts", "Planner"]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: pure + ["TestSupport", "Report", "Transport", "Credentials", "HTTP2", "MockHosts", "Hosts"],
            swiftSettings: settings
        ),
    ]
)
