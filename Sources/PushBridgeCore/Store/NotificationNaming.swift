/// A view that knows which notifications there are without reading them.
///
/// A ``StagedView`` over one can remove notifications although some of them are damaged.
package protocol NotificationNaming: CredentialReading {
    /// The ids of all notifications, damaged ones too, in no order.
    func notificationIDs() throws -> [String]
}
