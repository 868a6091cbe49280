import CredentialMigration
import Foundation
import LegacyStore
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// Device tokens of migrated credentials.
///
/// The servers of the migrated credentials never sent the user's name.
@Suite("Tokens of migrated credentials")
struct MigratedTokenTests {
    @Test func theTokenStateReportsWhetherTheServerHasTheNewToken() async throws {
        let phone = try await MigratedPhone(.v8_0_2, count: 1000)
        await #expect(throws: MigratedPhone.unknownUser) { try await phone.client.setDeviceToken("new") }
        var unknown = 0
        for credential in try await phone.client.getCredentials() {
            #expect(credential.userId == nil)
            let state = try await phone.client.tokenState(of: credential.id)
            let token = phone.server.withService { $0.devices[credential.id]?.deviceToken }
            if case .userUnknown = state { unknown += 1 } else { #expect(state == .known) }
            #expect(token == (state == .known ? "new" : "OLD"))
        }
        #expect(unknown == 100)
    }

    /// If a server does not support token updates, the client learns this from the first request, and sends no requests
    /// for the server's other credentials at this launch.
    ///
    /// The app is launched 30 times, every hour or every day.
    @Test(arguments: [3600, 86_400, 86_460] as [TimeInterval])
    func aServerWithoutTokenUpdatesReceivesAtMostFiveRequests(_ pause: TimeInterval) async throws {
        let phone = try await MigratedPhone(.v8_0_0, count: 1000)
        for launch in 0..<30 {
            do {
                try await phone.client.setDeviceToken("new")
            } catch {
                #expect(error as? PushError == MigratedPhone.noUpdates)
            }
            if launch == 0 { #expect(phone.server.journal.count == 1) }
            phone.clock.withValue { $0 += pause }
        }
        #expect(phone.server.journal.count == (pause == 3600 ? 2 : 5))
        for credential in try await phone.client.getCredentials() {
            guard case .unsupported = try await phone.client.tokenState(of: credential.id) else {
                Issue.record("The state of \(credential.id) is not `unsupported`.")
                continue
            }
        }
    }
}

extension MigratedTokenTests {
    /// The number of operations of a token update does not increase with the number of credentials.
    ///
    /// The stored token contains the ids of all credentials. So the cost would be quadratic if the stored token were
    /// read and written for each credential.
    @Test func operationsOfATokenUpdateDoNotIncreaseWithTheCredentials() async throws {
        var operations: [Int] = []
        for count in [10, 300] {
            let phone = try await MigratedPhone(.v8_0_2, count: count)
            let before = phone.store.operations
            await #expect(throws: MigratedPhone.unknownUser) { try await phone.client.setDeviceToken("new") }
            operations.append(phone.store.operations - before)
            #expect(phone.server.journal.count == count)
        }
        #expect(operations[0] == operations[1])
    }
}

/// A phone with migrated credentials, and their server.
private struct MigratedPhone {
    /// The error of a server that receives an unknown user name.
    static let unknownUser = PushError.networkFailure("The server refused (HTTP 400): Bad request.")
    /// The error of a server that does not support token updates.
    static let noUpdates = PushError.networkFailure("The server failed (HTTP 501): refresh not supported")

    let server: Simulator
    let client: PushClient
    let store: FaultyStore
    let clock = Lock(Date(timeIntervalSince1970: 1_700_000_000))

    /// Migrates credentials that are registered at a server.
    ///
    /// For a tenth of the credentials, the server has a user name that the client cannot guess.
    init(_ version: ServerVersion, count: Int) async throws {
        var settings = ServiceSettings()
        settings.version = version
        let server = Simulator(settings: settings)
        var records = [LegacyRecord.deviceToken(PushDeviceToken(tokenId: "OLD", createdAt: .distantPast))]
        for number in 0..<count {
            let mechanism = try Self.mechanism(number, at: server.base)
            let secret = try #require(SharedSecret(base64: mechanism.secret.withUTF8 { $0 }))
            var device = SimulatedDevice(
                mechanismUid: mechanism.mechanismUUID,
                sharedSecret: secret,
                deviceToken: "OLD",
                account: mechanism.account
            )
            if number.isMultiple(of: 10) { device.userId = "uuid-\(number)" }
            let registered = device
            server.withService { $0.add(registered) }
            records.append(.mechanism(mechanism))
        }
        let items = records.enumerated().map { index, record in
            LegacyItem(
                position: .index(index),
                service: record.service,
                key: record.identifier,
                payload: .archive(record.archive)
            )
        }
        let store = FaultyStore(MemoryCredentialStore(), failingAt: .max)
        self.store = store
        let migration = CredentialMigration(from: .store(MemoryLegacySource(items)), to: store)
        let receipt = try migration.apply(try migration.plan())
        #expect(receipt.totals[.migrated] == count + 1)
        let clock = clock
        client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(store)
            config.transport = server
            config.timeout = SimulatedServiceFixture.timeout
            config.logger = LogManager.none
            config.now = { clock.withValue { $0 } }
        }
        self.server = server
    }

    private static func mechanism(_ number: Int, at base: String) throws -> LegacyMechanism {
        let service = "\(base)/json/push/sns/message?_action"
        let secret = SharedSecret.random().withBase64 { $0 }
        return LegacyMechanism(
            mechanismUUID: "id-\(number)",
            account: AccountKey(issuer: "Old", accountName: "user-\(number)"),
            secret: try #require(SharedSecret(utf8: secret)),
            timeAdded: Date(timeIntervalSince1970: 1_600_000_000),
            factor: .push(
                LegacyPushParameters(
                    registrationEndpoint: "\(service)=register",
                    authenticationEndpoint: "\(service)=authenticate",
                    registration: nil
                )
            )
        )
    }
}
