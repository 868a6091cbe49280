import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

/// What the command line says where `pushbridge-apns` was not built.
@Suite struct CompanionTests {
    private let folder: TemporaryFolder
    private let alone: URL

    /// A tool in a folder of its own, with nothing beside it and nothing in `PATH`.
    init() throws {
        folder = try TemporaryFolder()
        alone = folder.url("pushbridge")
        try FileManager.default.linkItem(at: CommandLineTool.executable(), to: alone)
    }

    @Test(arguments: [
        ["apns", "serve"], ["apns", "--help"], ["phone", "--api", "async", "--apns", "x"],
        ["simulate", "--apns", "x"],
    ])
    func companionThatIsNotBuiltIsNamed(_ arguments: [String]) throws {
        let process = Process()
        let diagnostics = Pipe()
        process.executableURL = alone
        process.arguments = arguments
        process.environment = ["PATH": ""]
        process.standardError = diagnostics
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: diagnostics.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 69)
        let build = "swift build --product pushbridge-apns --package-path Tools/APNs"
        #expect(text == "pushbridge: This needs pushbridge-apns, which is not built: \(build).\n")
    }

    /// What lies in `PATH` is found, as git finds its commands.
    @Test func companionInThePathIsRun() throws {
        let place = try TemporaryFolder()
        let script = try place.file("pushbridge-apns", "#!/bin/sh\necho \"companion: $*\"\nexit 5\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        let process = Process()
        let output = Pipe()
        process.executableURL = alone
        process.arguments = ["apns", "send", "--help", "a b"]
        process.environment = ["PATH": "/nowhere:\(place.url.path)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "companion: send --help a b\n")
        #expect(process.terminationStatus == 5)
    }
}
