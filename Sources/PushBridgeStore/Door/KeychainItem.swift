public import Foundation

/// A generic password.
public struct KeychainItem: Equatable, Sendable {
    /// What identifies an item.
    public struct Name: Hashable, Sendable {
        /// The service the item belongs to.
        public let service: String
        /// The item's key within the service.
        public let account: String
        /// The group of apps that share the item; `nil` is the app's own.
        public let accessGroup: String?

        /// Names an item.
        public init(service: String, account: String, accessGroup: String? = nil) {
            self.service = service
            self.account = account
            self.accessGroup = accessGroup
        }
    }

    /// What identifies the item.
    public let name: Name
    /// The item's value.
    public var data: Data
    /// When the item can be read.
    public var accessibility: KeychainAccessibility

    /// Creates an item.
    public init(
        _ name: Name,
        data: Data,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) {
        self.name = name
        self.data = data
        self.accessibility = accessibility
    }
}

extension KeychainItem: CustomStringConvertible, CustomReflectable {
    /// The service and the size, never the value.
    public var description: String { "KeychainItem(\(name.service), \(data.count) bytes)" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
