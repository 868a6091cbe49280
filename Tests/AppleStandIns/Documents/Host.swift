import Foundation
import PushKit
import UIKit

/// The type that contains a document's members if the document shows them without a type.
class Host: UIResponder, PKPushRegistryDelegate {
    var voipRegistry = PKPushRegistry(queue: nil)

    nonisolated func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}
}
