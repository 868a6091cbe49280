import Foundation
import PingAuthMigration
import PingCommons
import PingOath
import PingPush
import Testing

/// Apps can use the SDK's functions as values, as implementations of their own protocols, and with a closure in a
/// variable.
struct FunctionValueTests {
    @Test func functionsOfTheSDKAreValues() async throws {
        let makePush: ((PushConfiguration) -> Void) async throws -> PushClient = PushClient.createClient
        let makeOath: ((OathConfiguration) -> Void) async throws -> OathClient = OathClient.createClient
        let migrate: ((AuthMigrationConfig) -> Void) async -> Bool = AuthMigration.migrateIfNeeded
        _ = (makeOath, migrate)
        let phone = try await EnrolledClient()
        let configure: (PushConfiguration) -> Void = { $0.storage = phone.storage }
        let client = try await makePush(configure)
        #expect(try await client.getCredentials() == [phone.credential])
        let remove = client.deleteCredential
        #expect(try await remove(phone.credential.id))
        #expect(try await client.getCredentials().isEmpty)
    }

    @Test func functionsOfTheSDKSatisfyProtocolRequirements() async throws {
        let phone = try await EnrolledClient()
        let client = try await made(PushClient.self) { $0.storage = phone.storage }
        #expect(try await client.getCredentials() == [phone.credential])
    }

    private func made<Client: ClientMaking>(
        _ type: Client.Type,
        _ configure: (Client.Configuration) -> Void
    ) async throws -> Client {
        try await type.createClient(configure: configure)
    }
}

/// A protocol to which an app makes the SDK's clients conform.
private protocol ClientMaking {
    associatedtype Configuration
    static func createClient(configure: (Configuration) -> Void) async throws -> Self
}

extension PushClient: ClientMaking {}
extension OathClient: ClientMaking {}

/// A protocol to which an app makes the SDK's migrator conform.
private protocol Migrating {
    static func migrateIfNeeded(configure: (AuthMigrationConfig) -> Void) async -> Bool
}

extension AuthMigration: Migrating {}
