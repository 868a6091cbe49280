#if canImport(Network) && canImport(UIKit)
import Foundation
import Network
import PushBridgePlatform
import UIKit

extension MigrationCondition {
    /// A condition that holds while the battery is charging or full, or while the device is on Wi-Fi.
    ///
    /// Battery monitoring is a setting of the whole app, so the condition restores it after reading the battery's
    /// state.
    public static let onPowerOrWiFi = MigrationCondition { _ in
        if await hasExternalPower() { return true }
        return await isOnWiFi()
    }

    @MainActor private static func hasExternalPower() -> Bool {
        let device = UIDevice.current
        let wasMonitored = device.isBatteryMonitoringEnabled
        device.isBatteryMonitoringEnabled = true
        defer { device.isBatteryMonitoringEnabled = wasMonitored }
        return [.charging, .full].contains(device.batteryState)
    }

    private static func isOnWiFi() async -> Bool {
        let monitor = NWPathMonitor()
        defer { monitor.cancel() }
        let hasResumed = Lock(false)
        return await withCheckedContinuation { continuation in
            monitor.pathUpdateHandler = { path in
                let isFirst = hasResumed.withValue { hasResumed in
                    defer { hasResumed = true }
                    return !hasResumed
                }
                guard isFirst else { return }
                continuation.resume(returning: path.status == .satisfied && path.usesInterfaceType(.wifi))
            }
            monitor.start(queue: .global())
        }
    }
}
#endif
