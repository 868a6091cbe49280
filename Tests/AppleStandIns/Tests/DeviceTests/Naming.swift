import UIKit

// `Testing` expects an overlay of its own beside the real UIKit, so no file imports both.

/// Names the device, as its user would.
@MainActor func nameDevice(_ name: String) { UIDevice.current.name = name }
