import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The app and its service extension on one file: by two connections, and as two processes.
@Suite("Two processes")
struct TwoProcessTests {
    /// How many pushes come in: fifty, or as many as `Scripts/sanitize` asks for.
    private static let count = variable("PUSHES").flatMap(Int.init) ?? 50

    @Test(arguments: API.allCases)
    func noPushIsLostOrAnsweredTwiceOnTwoConnections(_ api: API) async throws {
        let app = try await AppWithExtension(api, pushes: Self.count)
        let service = try app.service()
        try await app.answer {
            for push in app.pushes {
                let content = await service.content(of: push)
                // Where the app writes for too long, the extension leaves the push to it.
                #expect(content?.kind == .login || content?.kind == .ended || content?.kind == .postponed)
            }
        }
        try await app.checkThatNothingIsLostOrTwice()
    }

    #if os(Linux)
    @Test(arguments: API.allCases)
    func noPushIsLostOrAnsweredTwiceInTwoProcesses(_ api: API) async throws {
        let app = try await AppWithExtension(api, pushes: Self.count)
        let extensionProcess = try app.startExtension()
        try await app.answer {
            while extensionProcess.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        }
        #expect(extensionProcess.terminationStatus == 0)
        #expect(try String(contentsOf: app.folder.url("shown"), encoding: .utf8) == "\(app.pushes.count)")
        try await app.checkThatNothingIsLostOrTwice()
    }
    #endif

    /// The other process, which runs this test alone.
    @Test(.enabled(if: variable("EXTENSION") != nil))
    func extensionProcess() async throws {
        let folder = URL(fileURLWithPath: try #require(variable("EXTENSION")))
        let store = try SQLiteCredentialStore(
            path: folder.appendingPathComponent("push.sqlite").path,
            key: KeyFile(path: folder.appendingPathComponent("push.key").path),
            mode: .open
        )
        let service = PushContentService(now: { Phone.start }) { store }
        let lines = try Data(contentsOf: folder.appendingPathComponent("pushes")).split(separator: 10)
        var shown = 0
        for line in lines {
            let content = await service.content(of: try #require(JSONValue(json: line)))
            if let kind = content?.kind, kind != .suspicious { shown += 1 }
        }
        try Data("\(shown)".utf8).write(to: folder.appendingPathComponent("shown"))
    }
}

/// An app on a file that its extension has open as well, and pushes that come in for both.
private struct AppWithExtension {
    let folder: TemporaryFolder
    let phone: Phone
    let pushes: [JSONValue]
    private var path: String { folder.path("push.sqlite") }
    private var key: KeyFile { KeyFile(path: folder.path("push.key")) }

    init(_ api: API, pushes count: Int) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        phone = try await Phone(
            api,
            on: SQLiteCredentialStore(
                path: folder.path("push.sqlite"),
                key: KeyFile(path: folder.path("push.key")),
                mode: .create
            )
        ) { $0.notificationCleanupConfig.cleanupMode = .none }
        let (phone, credential) = (phone, try await phone.enrol())
        pushes = try (0..<count).map { _ in try phone.push(to: credential).userInfo }
    }

    func service() throws -> PushContentService {
        let store = try SQLiteCredentialStore(path: path, key: key, mode: .open)
        return PushContentService(now: { Phone.start }) { store }
    }

    func startExtension() throws -> Process {
        try folder.file("pushes", Data(pushes.map(\.text).joined(separator: "\n").utf8))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--testing-library", "swift-testing", "--filter", "extensionProcess"]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["PUSHBRIDGE_EXTENSION": folder.url.path]
        ) { $1 }
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Answers all pushes from both ends, before, beside and after the extension.
    func answer(while extensionWorks: @escaping @Sendable () async throws -> Void) async throws {
        let (phone, pushes) = (phone, pushes)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(operation: extensionWorks)
            for part in [pushes, pushes.reversed()] {
                group.addTask {
                    for push in part { _ = await phone.perform(Tap.approve.actionId, push) }
                }
            }
            try await group.waitForAll()
        }
    }

    func checkThatNothingIsLostOrTwice() async throws {
        let stored = try phone.stored()
        #expect(stored.count == pushes.count)
        #expect(Set(stored.map(\.messageId)).count == pushes.count)
        #expect(stored.count { $0.approved } == pushes.count)
        #expect(phone.answers == pushes.count)
        #expect(try await phone.badge() == 0)
    }
}

extension PushContentService {
    func content(of push: JSONValue) async -> PushContent? {
        await withCheckedContinuation { continuation in
            didReceive(push.userInfo) { continuation.resume(returning: $0) }
        }
    }
}

private func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["PUSHBRIDGE_\(name)"]
}
