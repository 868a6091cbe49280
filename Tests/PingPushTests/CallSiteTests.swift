import PingPush
import PushBridgeTestSupport
import Testing

/// The ways in which apps call the API, with a single import.
@Suite("Call sites")
struct CallSiteTests {
    @Test func aClientIsConfiguredInAClosure() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("push.sqlite")
        let client = try await PushClient.createClient { config in
            config.storage = try PushSQLiteStorage(path: path, key: KeyFile(path: "\(path).key"))
            config.logger = LogManager.logger
            config.enableCredentialCache = false
            config.timeout = 15
            config.notificationCleanupConfig = NotificationCleanupConfig(
                cleanupMode: .hybrid,
                maxStoredNotifications: 50,
                maxNotificationAgeDays: 14
            )
        }
        let credentials = try await Task.detached(priority: .userInitiated) {
            try await client.getCredentials()
        }.value
        #expect(credentials == [])
        #expect(try folder.names().contains("push.sqlite.key"))
        await client.close()
    }

    @Test func errorsAreDistinguishedByCase() async throws {
        let fixture = try await PushClientFixture()
        do {
            _ = try await fixture.client.addCredentialFromUri("nonsense")
        } catch let error as PushError {
            switch error {
            case .invalidUri(let message): #expect(!message.isEmpty)
            case .initializationFailed(_, let underlying): #expect(underlying == nil)
            case .credentialNotFound, .credentialLocked: Issue.record(error)
            default: Issue.record(error)
            }
        }
    }

    @Test(arguments: [0, -1, .infinity, .nan])
    func aTimeOutThatIsNotPositiveAndFiniteIsRejected(_ timeout: Double) async throws {
        await #expect(throws: PushError.initializationFailed("The time-out is not positive.", nil)) {
            try await PushClient.createClient { $0.timeout = timeout }
        }
    }

    @Test func theTimeOutIsTheSameInBothUnits() {
        let configuration = PushConfiguration()
        #expect(configuration.timeoutMs == 15_000)
        configuration.timeoutMs = 2_500
        #expect(configuration.timeout == 2.5)
        configuration.timeout = .infinity
        #expect(configuration.timeoutMs == .max)
    }
}
