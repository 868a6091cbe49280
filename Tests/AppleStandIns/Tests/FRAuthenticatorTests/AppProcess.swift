import FRAuthenticator
import Foundation
import LegacyFiles
@_spi(PushBridgeTools) import LegacyStore
import LocalAuthentication
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import Security
import Testing

/// The process of an app on a phone.
///
/// Each test has a new process, with a keychain, a device owner and an in-memory server.
struct AppProcess {
    static let codes = "https://am.example.com/json/alpha/push/sns/message"

    let server = FakeTransport()

    init() {
        StandInKeychain.reset()
        StandInKeys.reset()
        StandInOwner.reset()
        restart()
    }

    /// Ends the process and starts a new one; the keychain keeps its items.
    func restart(_ mode: FRAMigration.Mode = .atOnce) {
        var configuration = Authenticator.Configuration.standard
        configuration.transport = server
        FRAClient.reset(configuration)
        FRAClient.migration.mode = mode
    }

    /// Writes a legacy store into the keychain, as the legacy SDK would have written it.
    func install(_ fixture: String, accessibility: KeychainAccessibility = .afterFirstUnlock) throws {
        for item in try LegacyFile.open(Self.fixture(fixture)).items() {
            let item = try item.get()
            guard case .archive(let bytes) = item.payload else { continue }
            let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
            try SystemKeychain().add(KeychainItem(name, data: bytes, accessibility: accessibility))
        }
    }

    /// Adds the key of the sealed fixtures to the Secure Enclave, under the name that the legacy SDK uses.
    func installEnclaveKey() throws {
        let text = try String(contentsOf: Self.fixture("sealed.key"), encoding: .utf8)
        let bytes = try #require(Base64.decode(text))
        let software = try #require(SoftwareItemKey(rawRepresentation: bytes))
        let seal: @Sendable (Data) -> Data? = { try? software.seal($0) }
        let key = SecKey(seal: seal) { _, sealed in
            do {
                return .success(try software.open(sealed))
            } catch {
                return .failure(StandInFailure(errSecParam))
            }
        }
        StandInKeys.add(key, tag: "com.forgerock.ios.authenticator.securedKey.identifier")
    }

    /// Registers a device with a registration URI, and returns the push mechanism.
    func enrol(policies: String? = nil) async throws -> PushMechanism {
        await Application.didRegister(deviceToken: Data([0, 0xFF]))
        let client = try #require(FRAClient.shared)
        let url = try #require(URL(string: Self.code(policies: policies)))
        let made = Lock<Mechanism?>(nil)
        let report = await outcome { succeed, fail in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { mechanism in
                    made.withValue { $0 = mechanism }
                    succeed()
                },
                onError: fail
            )
        }
        if let error = report.error { throw error }
        return try #require(made.withValue { $0 } as? PushMechanism)
    }

    /// Delivers a push as the server of a mechanism would.
    func deliver(_ kind: String, to mechanism: PushMechanism) async throws -> FRAuthenticator.PushNotification
    {
        let id = mechanism.mechanismUUID
        let credential = try #require(try StandardStore.open().read { try $0.pushCredential(id: id) })
        let claims: JSONValue = ["u": .string(id), "c": "Y2hhbGxlbmdl", "k": .string(kind)]
        let token = credential.sharedSecret.signedToken(claims: claims.data)
        return try #require(await Application.didReceive(messageId: "AUTHENTICATE:1", data: token))
    }

    static func code(policies: String? = nil, account: String = "babs") throws -> String {
        var profile = AccountProfile(issuer: "Example", accountName: account)
        profile.policies = policies
        let endpoints = PushEndpoints(
            registration: "\(codes)?_action=register",
            authentication: "\(codes)?_action=authenticate"
        )
        return PushRegistration(
            account: profile,
            endpoints: try #require(endpoints),
            sharedSecret: .random(),
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:1"
        ).uri()
    }

    private static func fixture(_ name: String) -> URL {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("LegacyFixtures").appendingPathComponent(name)
    }
}
