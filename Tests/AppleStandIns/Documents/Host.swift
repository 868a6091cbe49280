import Foundation
import PushKit
import UIKit

/// The type to which a document's members belong if the document shows them without a type.
class Host: UIResponder, PKPushRegistryDelegate {
    var voipRegistry = PKPushRegistry(queue: nil)

    nonisolated func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}
}
