import Foundation
import PushBridgeCore

/// A registration that waits for its device.
struct WaitingRegistration: Sendable {
    let registration: PushRegistration
    let realm: Realm
    let sender: String?
    let expiry: Date
}
