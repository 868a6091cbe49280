import Network
import UIKit

// Apart from the tests, because the testing library has a part of its own for UIKit, which the stand-in is not.

/// What a device is connected through.
enum Connection: CaseIterable {
    case none, wifi, cellular, wired
}

/// What the battery of a device does.
enum Battery: CaseIterable {
    case unknown, unplugged, charging, full
}

/// Says what the device is connected to.
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

/// Whether the battery is monitored, or is so from now on.
@MainActor var isBatteryMonitored: Bool {
    get { UIDevice.current.isBatteryMonitoringEnabled }
    set { UIDevice.current.isBatteryMonitoringEnabled = newValue }
}
