import Foundation
import PushKit
import UIKit

/// What members belong to that a document shows without a type.
class Host: UIResponder, PKPushRegistryDelegate {
    var voipRegistry = PKPushRegistry(queue: nil)

    nonisolated func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}
}
