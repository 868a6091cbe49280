import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeStore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// The app and its service extension use one file.
///
/// One test uses the file through two connections, and another test uses it in two processes.
@Suite("Two processes")
struct TwoProcessTests {
    /// The number of pushes that arrive.
    ///
    /// The number is 50, or the value of `PUSHBRIDGE_PUSHES`, which `Scripts/checks/sanitize` sets.
    private static let count = variable("PUSHES").flatMap(Int.init) ?? 50

    @Test(arguments: API.allCases)
    func noPushIsLostOrAnsweredTwiceOnTwoConnections(_ api: API) async throws {
        let app = try await AppWithExtension(api, pushes: Self.count)
        let service = try app.service()
        let shown = Guarded<[String]>([])
        try await app.answer {
            for push in app.pushes {
                let content = await service.content(of: push)
                shown.withValue { $0.append(content.map { "\($0.kind)" } ?? "none") }
            }
        }
        try await app.checkThatNothingIsLostOrTwice(shown.withValue { $0 })
    }

    #if os(Linux)
    @Test(arguments: API.allCases)
    func noPushIsLostOrAnsweredTwiceInTwoProcesses(_ api: API) async throws {
        let app = try await AppWithExtension(api, pushes: Self.count)
        let extensionProcess = try app.startExtension()
        try await app.answer {
            let limit = WaitedInVain.secondsOfProcess
            try await waitFor("the extension to end", seconds: limit) { !extensionProcess.isRunning }
        }
        #expect(extensionProcess.terminationStatus == 0)
        let shown = try String(contentsOf: app.folder.url("shown"), encoding: .utf8).split(separator: " ")
        try await app.checkThatNothingIsLostOrTwice(shown.map(String.init))
    }
    #endif

    /// The test that the second process runs in the role of the extension.
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
        var shown: [String] = []
        for line in lines {
            let content = await service.content(of: try #require(JSONValue(json: line)))
            shown.append(content.map { "\($0.kind)" } ?? "none")
        }
        try Data(shown.joined(separator: " ").utf8).write(to: folder.appendingPathComponent("shown"))
    }
}

/// An app and its extension, which use the same file, and the pushes that both receive.
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

    /// Makes the app answer the pending pushes while the extension works, until all pushes are answered.
    ///
    /// Two tasks answer the pushes, one from each end of the list. The app itself receives no push. So if the
    /// extension loses a push, this push is not stored.
    func answer(while extensionWorks: @escaping @Sendable () async throws -> Void) async throws {
        let (phone, isOver) = (phone, Guarded(false))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await extensionWorks()
                isOver.withValue { $0 = true }
            }
            for reversed in [false, true] {
                group.addTask {
                    var roundsLeft = 500
                    while roundsLeft > 0 {
                        let wasOver = isOver.withValue { $0 }
                        if try await phone.answerPending(reversed: reversed) == 0, wasOver { return }
                        roundsLeft -= wasOver ? 1 : 0
                        try await Task.sleep(for: .milliseconds(2))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // `shown` contains the content that the extension shows for each push, in the order of the pushes.
    func checkThatNothingIsLostOrTwice(_ shown: [String]) async throws {
        #expect(shown.count == pushes.count)
        // If a transaction of the app is too slow, the extension shows a push as postponed and does not store
        // the push. The app stores the push later.
        let left = zip(pushes, shown).filter { $1 == "postponed" }.map(\.0)
        #expect(shown.allSatisfy { ["login", "ended", "postponed"].contains($0) })
        #expect(left.count < pushes.count)
        #expect(try phone.stored().count == pushes.count - left.count)
        if !left.isEmpty {
            #expect(await phone.receive(delivered: left).count == left.count)
            try await answer {}
        }
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
        do {
            return try await waitForCall("the content handler") { didReceive(push.userInfo, $0) }
        } catch {
            Issue.record(error)
            return nil
        }
    }
}

private func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["PUSHBRIDGE_\(name)"]
}
