import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import Testing

/// Invalid input for a phone.
@Suite struct PhoneInputTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private func expectRefusal(
        _ run: CommandLineTool.Run,
        _ status: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(run.status == status, "\(run)", sourceLocation: sourceLocation)
        #expect(run.sentences.count == 1, "\(run)", sourceLocation: sourceLocation)
        #expect(run.diagnostics.hasPrefix("pushbridge: "), sourceLocation: sourceLocation)
        #expect(run.output.isEmpty, sourceLocation: sourceLocation)
    }

    /// If a code is unusable, the phone prints the error's sentence and exits, with either API.
    @Test(arguments: ["legacy", "async"])
    func unusableRegistrationCodeIsRefused(_ api: String) async throws {
        let apns = try RunningTool(["apns", "serve", "--json"])
        let file = try pushbridge.file("apns.json", try await apns.line().data)
        let service = try RunningTool(["simulate", "--json"])
        defer { for tool in [apns, service] { tool.end() } }
        let uri = try await service.line().text("uri")
        func enrol(_ uri: String, _ more: String...) throws -> CommandLineTool.Run {
            let phone = ["phone", "--api", api, "--apns", file, "--pushes", "0", "--enrol", uri]
            let run = try pushbridge.run(phone + more)
            #expect(!run.diagnostics.contains("unexpected"))
            return run
        }
        for bad in [
            "", "hello", "https://example.com", "pushauth://push/a:b", "otpauth://push/a:b?s=x",
            "otpauth://totp/Bank:demo?secret=JBSWY3DPEHPK3PXP&issuer=Bank",
            uri.replacingOccurrences(of: "pushauth://push", with: "pushauth://other"),
        ] {
            expectRefusal(try enrol(bad), 64)
        }
        expectRefusal(try enrol("@\(pushbridge.path("none"))"), 66)
        let store = ["--store", pushbridge.path("phone.db")]
        #expect(try enrol(uri, store[0], store[1]).status == 0)
        // The server creates each code for one device, and a device accepts each code once.
        expectRefusal(try enrol(uri), 64)
        let again = try enrol(uri, store[0], store[1])
        expectRefusal(again, 64)

        let gone = try RunningTool(["simulate", "--json"])
        let unreachable = try await gone.line().text("uri")
        gone.end()
        _ = try gone.status()
        expectRefusal(try enrol(unreachable), 75)
    }
}
