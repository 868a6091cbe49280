import Network
import UIKit

// This file is separate from the tests: if a file imports `Testing` and `UIKit`, the compiler also loads an overlay for
// both, which this platform lacks.

/// The connection of a device.
enum Connection: CaseIterable {
    case none, wifi, cellular, wired
}

/// The state of a device's battery.
enum Battery: CaseIterable {
    case unknown, unplugged, charging, full
}

/// Sets the battery state and the connection of the device.
@MainActor func connect(_ battery: Battery, _ connection: Connection) {
    switch battery {
    case .unknown: UIDevice.current.charge(.unknown)
    case .unplugged: UIDevice.current.charge(.unplugged)
    case .charging: UIDevice.current.charge(.charging)
    case .full: UIDevice.current.charge(.full)
    }
    switch connection {
    case .none: NWPath.use(nil)
    case .wifi: NWPath.use(.wifi)
    case .cellular: NWPath.use(.cellular)
    case .wired: NWPath.use(.wiredEthernet)
    }
}

/// Whether battery monitoring is on.
@MainActor var isBatteryMonitored: Bool {
    get { UIDevice.current.isBatteryMonitoringEnabled }
    set { UIDevice.current.isBatteryMonitoringEnabled = newValue }
}
