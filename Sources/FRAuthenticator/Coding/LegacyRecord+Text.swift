import Foundation
import LegacyStore
import PushBridgeCore

extension LegacyRecord {
    /// The `toJson()` text; `nil` if a number cannot be spelled in JSON.
    var legacyText: String? {
        do {
            return String(decoding: try legacyJSON(), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
