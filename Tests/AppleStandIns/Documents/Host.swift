import Foundation
import PushKit
import UIKit

/// The enclosing type for a document's code if the document shows only members of a type, such as methods.
class Host: UIResponder, PKPushRegistryDelegate {
    var voipRegistry = PKPushRegistry(queue: nil)

    nonisolated func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}
}
