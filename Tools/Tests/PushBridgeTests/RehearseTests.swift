import Foundation
import PingAMSimulator
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import pushbridge_try

/// Runs the login test, `pushbridge rehearse`, as a person does.
@Suite struct RehearseTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private struct Report: Decodable {
        struct Credential: Decodable {
            let id: String
            let address: String?
            let verdict: String
            let reason: String?
            let locked: Bool
        }

        let schema: Int
        let command: String
        let versions: [String]
        let credentials: [Credential]
        let unreadable: [String]
    }

    @Test(
        arguments: [
            ("everyday.sqlite", 2), ("everyday.jsonl", 2), ("everyday.plist", 2), ("edges.sqlite", 8),
            ("everyday-sdk-2.0.sqlite", 2), ("everyday-sdk-3.1.sqlite", 2), ("everyday-sdk-3.3.sqlite", 2),
            ("everyday-sdk-4.0.sqlite", 2),
        ]
    )
    func everyMigratedCredentialAnswersALogin(_ fixture: String, _ count: Int) throws {
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", pushbridge.fixture(fixture), "--to", database).status == 0)
        let before = try pushbridge.contents()
        let run = try pushbridge("rehearse", database, "--am-version", "all", "--json")
        let report = try run.json(Report.self)
        #expect(run.status == 0)
        #expect(report.schema == 1)
        #expect(report.command == "rehearse")
        #expect(report.versions == ServerVersion.allCases.map(\.rawValue))
        #expect(report.credentials.map(\.verdict) == Array(repeating: "approved", count: count))
        #expect(report.unreadable == [])
        #expect(try pushbridge.contents() == before)
    }

    @Test func answersGoToTheEndpointOfTheCredential() throws {
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", pushbridge.fixture("edges.sqlite"), "--to", database).status == 0)
        let report = try pushbridge("rehearse", database, "--json").json(Report.self)
        let addresses = Set(report.credentials.compactMap(\.address))
        #expect(
            addresses.contains("https://auth.example.com/openam/json/push/sns/message?_action=authenticate")
        )
        #expect(
            addresses.contains(
                "https://am.example.com/am/json/push/sns/message?realm=/alpha&_action=authenticate"
            )
        )
    }

    #if os(Linux)
    /// Through an open port, other processes could get pushes that are signed with the secrets of real credentials.
    @Test func rehearsalOpensNoPort() throws {
        let database = pushbridge.path("new.db")
        #expect(try pushbridge("migrate", pushbridge.fixture("edges.sqlite"), "--to", database).status == 0)
        let process = Process()
        process.executableURL = try CommandLineTool.executable()
        process.arguments = ["rehearse", database, "--am-version", "all"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let files = "/proc/\(process.processIdentifier)/fd"
        var (hasStore, ports) = (false, Set<Substring>())
        try process.waitForEnd("the login test to end") {
            // During this look-up, the process may close a file or exit.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
            let targets = names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)")
            }
            hasStore = hasStore || targets.contains { $0.hasPrefix(database) }
            let sockets = targets.filter { $0.hasPrefix("socket:[") }.map { $0.dropFirst(8).dropLast() }
            let connections = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
            ports.formUnion(sockets.filter(connections.split(separator: " ").contains))
        }
        #expect(process.terminationStatus == 0)
        #expect(hasStore)
        #expect(ports == [])
    }
    #endif

    @Test func aLockedCredentialIsRehearsedAndReportedAsLocked() throws {
        let database = pushbridge.path("new.db")
        #expect(
            try pushbridge("migrate", pushbridge.fixture("everyday.sqlite"), "--to", database).status == 0
        )
        let run = try pushbridge("rehearse", database, "--am-version", "7.3")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("rehearse: \(database), 2 push credentials, at AM 7.3\n"))
        #expect(run.output.contains("approved; the credential is locked in the app"))
        #expect(run.output.contains("Every push credential answered its login"))
    }

    @Test func onlyTheCredentialOfAnotherServiceFails() throws {
        let database = pushbridge.path("new.db")
        let store = try SQLiteCredentialStore(
            path: database,
            key: KeyFile(path: "\(database).key"),
            mode: .create
        )
        var contents = StoreContents()
        contents.pushCredentials = [
            try credential("good", path: "/json/push/sns/message?_action=authenticate"),
            try credential("bad", path: "/elsewhere"),
        ]
        try store.add(contents)
        try store.close()
        let run = try pushbridge("rehearse", database, "--json")
        let report = try run.json(Report.self)
        #expect(run.status == 1)
        #expect(report.credentials.map(\.verdict) == ["approved", "failed"])
        #expect(
            report.credentials.last?.reason
                == "The credential's address is not the address of a push service."
        )
    }

    @Test func everyStepOfASampleScenarioSucceeds() throws {
        let run = try pushbridge("rehearse", "--am-version", "all")
        #expect(run.status == 0)
        for version in ServerVersion.allCases.map(\.rawValue) {
            #expect(run.output.contains("\n\(version) "))
        }
        #expect(run.output.contains("Every step had the expected result."))
        for step in ["register", "authenticate, deny true", "challengeResponse", "nothing", "refresh"] {
            #expect(run.output.contains(step))
        }
        #expect(try pushbridge.contents() == [:])
    }

    @Test(arguments: [("7.0", "7.1"), ("7.4", "7.3"), ("8.0.1", "8.0.2")])
    func aMissingVersionIsSimulatedByAnEquivalentOne(_ asked: String, _ simulated: String) throws {
        let run = try pushbridge("rehearse", "--am-version", asked)
        #expect(run.status == 0)
        #expect(run.output.contains("\n\(simulated) "))
        #expect(
            run.diagnostics.contains(
                "pushbridge: AM \(asked) behaves like \(simulated), which is simulated.\n"
            )
        )
        #expect(try !pushbridge("rehearse", "--am-version", simulated).diagnostics.contains("behaves like"))
    }

    @Test func unreadableStoreEndsTheCommand() throws {
        #expect(try pushbridge("rehearse", pushbridge.path("none.db")).status == 66)
        #expect(try pushbridge("rehearse", "--key-file", "key").status == 64)
        let database = pushbridge.path("new.db")
        #expect(
            try pushbridge("migrate", pushbridge.fixture("everyday.sqlite"), "--to", database).status == 0
        )
        let other = try pushbridge.file("other.key", Data(repeating: 7, count: 32))
        #expect(try pushbridge("rehearse", database, "--key-file", other).status == 77)
    }

    private func credential(_ id: String, path: String) throws -> PushCredential {
        let endpoints = PushEndpoints(
            registration: "https://am.example.com/json/push/sns/message?_action=register",
            authentication: "https://am.example.com\(path)"
        )
        return PushCredential(
            id: id,
            account: AccountProfile(issuer: "Example", accountName: id),
            endpoints: try #require(endpoints),
            sharedSecret: .random(),
            createdAt: Date(timeIntervalSince1970: id == "good" ? 0 : 1)
        )
    }
}
