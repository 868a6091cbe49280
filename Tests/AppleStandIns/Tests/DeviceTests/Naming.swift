import UIKit

// `Testing` has an overlay for the real UIKit. This platform lacks the overlay, so no file imports both `Testing` and
// `UIKit`.

/// Sets the name of the device, as its owner does in the settings.
@MainActor func nameDevice(_ name: String) { UIDevice.current.name = name }
