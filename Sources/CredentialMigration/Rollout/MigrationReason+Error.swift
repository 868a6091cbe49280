import LegacyStore
import PushBridgeCore

extension MigrationReason {
    /// Creates the reason why an attempt failed as a whole.
    init(_ error: any Error) {
        switch error {
        case let error as LegacyStoreError:
            switch error.code {
            case .unreadable, .notALegacyStore: self = .sourceUnreadable
            case .locked: self = .sourceLocked
            case .changed: self = .sourceChanged
            case .notWritable: self = .sourceNotWritable
            }
        case let error as StoreError: self = error.code == .locked ? .storeLocked : .storeFailed
        case let error as MigrationError where error.code == .sourceChanged: self = .sourceChanged
        default: self = .other
        }
    }
}
