import Foundation
import LegacyStore
import PushBridgeCore

extension NSCoder {
    /// Reads the fields of a legacy archive; returns `nil` if a required field is missing or invalid.
    func legacyValue<Value>(_ read: (CoderFieldReader) throws(LegacyRecordError) -> Value) -> Value? {
        do {
            return try read(CoderFieldReader(self))
        } catch {
            return nil
        }
    }
}

extension LegacyRecord {
    /// The text that `toJson()` returns, or `nil` if a number cannot be written in JSON.
    var legacyText: String? {
        do {
            return String(decoding: try legacyJSON(), as: UTF8.self)
        } catch {
            return nil
        }
    }
}

/// The class names in the keyed archives that apps keep in their own storages.
enum ArchiveNames {
    /// Registers the SDK's class names for archives.
    ///
    /// The registration is necessary if this module has a different name from the SDK's, for example in an app that
    /// also contains the SDK.
    static func register() {
        let classes: [AnyClass] = [
            Account.self, Mechanism.self, OathMechanism.self, TOTPMechanism.self, HOTPMechanism.self,
            PushMechanism.self, PushNotification.self, PushDeviceToken.self,
        ]
        for type in classes {
            let name = "FRAuthenticator.\(type)"
            guard NSStringFromClass(type) != name else { continue }
            NSKeyedArchiver.setClassName(name, for: type)
            NSKeyedUnarchiver.setClass(type, forClassName: name)
        }
    }
}
