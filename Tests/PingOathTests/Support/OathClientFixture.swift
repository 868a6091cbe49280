import Foundation
import PingOath
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport

/// The kinds of storage with which the tests run.
enum StorageKind: CaseIterable, Sendable {
    case memory
    case sqlite
    case own
}

/// A client on an empty storage, with a stopped clock.
struct OathClientFixture {
    static let rfcSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    let storage: any OathStorage
    let client: OathClient
    let clock = Clock()
    private let folder: TemporaryFolder?

    init(
        _ kind: StorageKind = .memory,
        configure: (OathConfiguration) -> Void = { _ in }
    ) async throws {
        var folder: TemporaryFolder?
        switch kind {
        case .memory: storage = CredentialStoreOathStorage(MemoryCredentialStore())
        case .own: storage = OwnStorage()
        case .sqlite:
            let made = try TemporaryFolder()
            storage = try OathSQLiteStorage(path: made.path("oath.sqlite"), key: InMemorySealingKey())
            folder = made
        }
        self.folder = folder
        let (storage, clock) = (storage, clock)
        client = try await OathClient.createClient { config in
            config.storage = storage
            config.now = { clock.now }
            config.logger = LogManager.none
            configure(config)
        }
    }

    static func totp(_ account: String = "babs", _ parameters: String = "") -> String {
        "otpauth://totp/Example:\(account)?secret=\(rfcSecret)&issuer=Example&digits=8\(parameters)"
    }

    static func hotp(_ account: String = "babs", _ parameters: String = "") -> String {
        "otpauth://hotp/Example:\(account)?secret=\(rfcSecret)&issuer=Example\(parameters)"
    }
}

/// A clock whose time a test sets.
final class Clock: Sendable {
    private let held = Lock(Date(timeIntervalSince1970: 59))

    var now: Date { held.withValue { $0 } }

    func set(_ seconds: TimeInterval) { held.withValue { $0 = Date(timeIntervalSince1970: seconds) } }
}

/// An app's own storage.
///
/// The storage has no transactions, and it suspends in every call so that other tasks run.
final class OwnStorage: OathStorage {
    private let credentials = Lock<[OathCredential]>([])
    private let failure = Lock<(any Error)?>(nil)
    private let duringStoring = Lock<(@Sendable () async throws -> Void)?>(nil)

    func willFail(_ error: (any Error)?) { failure.withValue { $0 = error } }

    /// Sets a closure to call before each credential is stored.
    func whileStoring(_ body: (@Sendable () async throws -> Void)?) { duringStoring.withValue { $0 = body } }

    func storeOathCredential(_ credential: OathCredential) async throws {
        try await pause()
        try await duringStoring.withValue { $0 }?()
        credentials.withValue { all in
            if let place = all.firstIndex(where: { $0.id == credential.id }) {
                all[place] = credential
            } else {
                all.append(credential)
            }
        }
    }

    func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        try await pause()
        return credentials.withValue { $0.first { $0.id == credentialId } }
    }

    func getAllOathCredentials() async throws -> [OathCredential] {
        try await pause()
        return credentials.withValue { $0 }
    }

    func removeOathCredential(credentialId: String) async throws -> Bool {
        try await pause()
        return credentials.withValue { all in
            defer { all.removeAll { $0.id == credentialId } }
            return all.contains { $0.id == credentialId }
        }
    }

    func clearOathCredentials() async throws {
        try await pause()
        credentials.withValue { $0 = [] }
    }

    private func pause() async throws {
        await Task.yield()
        if let failure = failure.withValue({ $0 }) { throw failure }
    }
}
