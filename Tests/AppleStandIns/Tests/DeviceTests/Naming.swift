import UIKit

// `Testing` has an overlay for the real UIKit, which does not exist here, so no file imports both.

/// Sets the name of the device, as its user can.
@MainActor func nameDevice(_ name: String) { UIDevice.current.name = name }
