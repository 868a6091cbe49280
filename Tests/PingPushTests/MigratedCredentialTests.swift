import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// Every push credential of the migrated fixtures answers logins at a service that has the legacy secrets.
///
/// The service gets each secret from the legacy record, through separate decoding code in this test. If the
/// migration had changed the secret of a credential, the service would reject the credential's answers.
@Suite("Migrated credentials")
struct MigratedCredentialTests {
    @Test(
        arguments: [
            ("everyday.sqlite", 2), ("everyday.jsonl", 2), ("everyday.plist", 2),
            ("everyday-sdk-2.0.sqlite", 2), ("everyday-sdk-3.1.sqlite", 2), ("everyday-sdk-3.3.sqlite", 2),
            ("everyday-sdk-4.0.sqlite", 2), ("edges.sqlite", 8), ("edges.jsonl", 8), ("edges.plist", 8),
        ],
        ServerVersion.allCases
    )
    func eachMigratedCredentialAnswersALogin(
        _ stored: (fixture: String, count: Int),
        _ version: ServerVersion
    ) async throws {
        let (fixture, count) = stored
        let source = LegacyFixtures.url(fixture)
        let store = MemoryCredentialStore()
        let migration = CredentialMigration(from: .file(source), to: store)
        _ = try migration.apply(migration.plan())
        var settings = ServiceSettings()
        settings.version = version
        let server = Simulator(settings: settings)
        let mechanisms = try pushMechanisms(in: source)
        #expect(mechanisms.count == count)
        for mechanism in mechanisms { try register(mechanism, at: server) }

        let transport = Redirecting(server: server)
        let client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(store)
            config.transport = transport
            config.timeout = SimulatedServiceFixture.timeout
            // This device satisfies the policies for which some of the accounts were locked.
            config.policyEvaluator = MfaPolicyEvaluator(policies: [DeviceTamperingPolicy { 0 }])
            config.logger = LogManager.none
        }
        for mechanism in mechanisms {
            let order = PushOrder(mechanismUid: mechanism.mechanismUUID)
            let delivery = try server.createPush(order)
            let push = try #require(
                await client.processNotification(message: delivery.payload.text),
                "\(mechanism.identifier)"
            )
            #expect(try await client.approveNotification(push.id), "\(mechanism.identifier)")
            #expect(server.state(ofPush: push.messageId) == .approved, "\(mechanism.identifier)")
        }
        let addresses = mechanisms.compactMap(\.authenticationEndpoint)
        #expect(transport.addresses.withValue { $0 } == addresses)
    }

    private func pushMechanisms(in file: URL) throws -> [LegacyMechanism] {
        try LegacyFile.open(file).items().compactMap { item in
            guard let item = try? item.get(), let decoded = try? item.decoded() else { return nil }
            guard case .mechanism(let mechanism) = decoded.record, mechanism.kind == .push else { return nil }
            return mechanism
        }
    }

    private func register(_ mechanism: LegacyMechanism, at server: Simulator) throws {
        guard case .push(let parameters) = mechanism.factor else { return }
        let realm = try #require(Realm(address: parameters.authenticationEndpoint))
        var padded = mechanism.secret.withUTF8 { $0 }
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while !padded.count.isMultiple(of: 4) { padded += "=" }
        let bytes = try #require(Data(base64Encoded: padded), "\(mechanism.identifier)")
        let device = SimulatedDevice(
            mechanismUid: mechanism.mechanismUUID,
            sharedSecret: try #require(SharedSecret(bytes: bytes)),
            deviceToken: "abcd",
            account: mechanism.account,
            realm: realm
        )
        server.withService { service in
            service.settings.realms.insert(realm)
            service.add(device)
        }
    }
}

extension LegacyMechanism {
    fileprivate var authenticationEndpoint: String? {
        guard case .push(let parameters) = factor else { return nil }
        return parameters.authenticationEndpoint
    }
}

/// Sends every request to the simulator, regardless of the host in its URL.
private struct Redirecting: PushTransport {
    let server: Simulator
    /// The original URLs of the requests.
    let addresses = Lock<[String]>([])

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        addresses.withValue { $0.append(request.url) }
        return try await server.send(request, timeout: timeout)
    }
}
