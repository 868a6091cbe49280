import UIKit

// If a file imports `Testing` and `UIKit`, the compiler also loads an overlay for both. This platform lacks the
// overlay, so no file imports both modules.

/// Sets the name of the device, as its owner does in the settings.
@MainActor func nameDevice(_ name: String) { UIDevice.current.name = name }
