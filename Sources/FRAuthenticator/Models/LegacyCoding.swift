import Foundation
import LegacyStore
import PushBridgeCore

extension NSCoder {
    /// The fields of a legacy archive; `nil` if one that the object cannot do without is not there.
    func legacyValue<Value>(_ read: (CoderFieldReader) throws(LegacyRecordError) -> Value) -> Value? {
        do {
            return try read(CoderFieldReader(self))
        } catch {
            return nil
        }
    }
}

extension LegacyRecord {
    /// The `toJson()` text; `nil` if a number cannot be written in JSON.
    var legacyText: String? {
        do {
            return String(decoding: try legacyJSON(), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
