import CredentialMigration
import Foundation
import PushBridgePlatform
import Testing

@Suite("On power or Wi-Fi", .serialized)
@MainActor struct PowerAndWiFiTests {
    /// In-memory storage of the roll-out's state.
    private final class Memory: RolloutStorage {
        private let state = Lock<Data?>(nil)
        func read() -> Data? { state.withValue { $0 } }
        func write(_ data: Data) { state.withValue { $0 = data } }
    }

    @Test(arguments: Battery.allCases, Connection.allCases)
    func theConditionHoldsOnlyOnPowerOrWiFi(_ battery: Battery, _ connection: Connection) async throws {
        connect(battery, connection)
        let rollout = MigrationRollout(Memory(), conditions: [.onPowerOrWiFi])
        let holds = [.charging, .full].contains(battery) || connection == .wifi
        #expect(try await rollout.answer(to: .apply) == (holds ? .go : .wait))
        #expect(!isBatteryMonitored)
    }

    @Test func aBatteryThatTheAppMonitorsStaysMonitored() async throws {
        isBatteryMonitored = true
        _ = try await MigrationRollout(Memory(), conditions: [.onPowerOrWiFi]).answer(to: .apply)
        #expect(isBatteryMonitored)
        isBatteryMonitored = false
    }
}
